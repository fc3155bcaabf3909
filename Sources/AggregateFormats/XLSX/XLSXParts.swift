/// The parts of a workbook that do not depend on its rows.
enum XLSXParts {
  private static let declaration =
    #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let document = "http://schemas.openxmlformats.org/officeDocument/2006"
  private static let sheets = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let type = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  /// The styles, by their number in the part `styles`.
  static let headerStyle = 1
  static let dateStyle = 2
  static let timeStyle = 3
  static let fractionStyle = 4

  /// All parts but the sheet.
  static func fixed(sheet: String) -> [(name: String, text: String)] {
    let name = XLSXCells.escaped(sheet)
    return [
      (
        "[Content_Types].xml",
        declaration + """
          <Types xmlns="\(package)/content-types">\
          <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
          <Default Extension="xml" ContentType="application/xml"/>\
          <Override PartName="/xl/workbook.xml" ContentType="\(type).sheet.main+xml"/>\
          <Override PartName="/xl/worksheets/sheet1.xml" ContentType="\(type).worksheet+xml"/>\
          <Override PartName="/xl/styles.xml" ContentType="\(type).styles+xml"/></Types>
          """
      ),
      (
        "_rels/.rels",
        declaration + """
          <Relationships xmlns="\(package)/relationships">\
          <Relationship Id="rId1" Type="\(document)/relationships/officeDocument" \
          Target="xl/workbook.xml"/></Relationships>
          """
      ),
      (
        "xl/workbook.xml",
        declaration + """
          <workbook xmlns="\(sheets)" xmlns:r="\(document)/relationships"><sheets>\
          <sheet name="\(name)" sheetId="1" r:id="rId1"/></sheets></workbook>
          """
      ),
      (
        "xl/_rels/workbook.xml.rels",
        declaration + """
          <Relationships xmlns="\(package)/relationships">\
          <Relationship Id="rId1" Type="\(document)/relationships/worksheet" \
          Target="worksheets/sheet1.xml"/>\
          <Relationship Id="rId2" Type="\(document)/relationships/styles" Target="styles.xml"/>\
          </Relationships>
          """
      ),
      ("xl/styles.xml", styles),
    ]
  }

  private static let styles =
    declaration + """
      <styleSheet xmlns="\(sheets)"><numFmts count="3">\
      <numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>\
      <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>\
      <numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>\
      <fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
      <font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
      <fills count="2"><fill><patternFill patternType="none"/></fill>\
      <fill><patternFill patternType="gray125"/></fill></fills>\
      <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
      <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
      <cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
      <xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
      <xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
      <xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
      <xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>\
      <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>
      """

  /// What stands before the rows of a sheet: the first row stays in sight.
  static let sheetStart =
    declaration + """
      <worksheet xmlns="\(sheets)"><sheetViews><sheetView workbookViewId="0">\
      <pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
      <sheetData>
      """

  /// What stands behind them.
  static let sheetEnd = "</sheetData></worksheet>"
}
