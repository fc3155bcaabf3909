#pragma once

#include "CSimdjsonDocument.h"
