using System.Globalization;
using System.Text;
using System.Xml;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Commands;

namespace Mux.Tool.Reporting;

/// <summary>The result of <c>mux spec</c> in the format of build servers.</summary>
internal static class JUnitReport
{
    public static ReadOnlyMemory<byte> Write(SpecReport report)
    {
        var cases = report.Cases;
        using var stream = new MemoryStream();
        using (var xml = XmlWriter.Create(stream, new XmlWriterSettings { Indent = true, Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false) }))
        {
            xml.WriteStartElement("testsuite");
            xml.WriteAttributeString("name", $"mux spec {report.Address}");
            xml.WriteAttributeString("tests", Text(cases.Count));
            xml.WriteAttributeString("failures", Text(cases.Count(done => done.Verdict == SpecVerdict.Failed)));
            xml.WriteAttributeString("skipped", Text(cases.Count(done => done.Verdict == SpecVerdict.Skipped)));
            xml.WriteAttributeString("timestamp", Invocation.StartedAt.UtcDateTime.ToString("s", CultureInfo.InvariantCulture));
            xml.WriteAttributeString("time", Seconds(cases.Sum(done => done.Elapsed.TotalSeconds)));
            foreach (var done in cases) Write(xml, done);
            if (report.Interruption is { } interruption) xml.WriteElementString("system-err", Clean(interruption));
            xml.WriteEndElement();
        }

        return stream.ToArray();
    }

    private static void Write(XmlWriter xml, CheckedCase done)
    {
        xml.WriteStartElement("testcase");
        xml.WriteAttributeString("classname", done.Row is { } row ? $"PROTOCOL.{row:000}" : "PROTOCOL.beyond");
        xml.WriteAttributeString("name", done.Name);
        xml.WriteAttributeString("time", Seconds(done.Elapsed.TotalSeconds));
        if (done.Verdict != SpecVerdict.Passed)
        {
            bool isSkipped = done.Verdict == SpecVerdict.Skipped;
            xml.WriteStartElement(isSkipped ? "skipped" : "failure");
            xml.WriteAttributeString("message", isSkipped ? Clean(done.Got) : $"expected {done.Expected}; got {Clean(done.Got)}");
            if (!isSkipped) xml.WriteString(done.Step is { } step ? $"sent {done.Sent}; failed at step {Clean(step.ToString())}" : $"sent {done.Sent}");
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    /// <summary>Replaces characters that XML cannot hold, which a peer's text may contain.</summary>
    private static string Clean(string text) => string.Concat(text.Select(letter => XmlConvert.IsXmlChar(letter) ? letter : '\uFFFD'));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Seconds(double seconds) => seconds.ToString("0.000", CultureInfo.InvariantCulture);
}
