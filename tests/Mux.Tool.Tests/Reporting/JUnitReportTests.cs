using System.Xml.Linq;
using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Reporting;

namespace Mux.Tool.Tests.Reporting;

public sealed class JUnitReportTests
{
    /// <summary>Text of the engine has no control characters, but XML cannot hold all others either.</summary>
    [Fact]
    public void Characters_that_XML_cannot_hold_are_replaced_wherever_a_peer_is_quoted()
    {
        const string Said = "a\uffffb\u0001c", Shown = "a\ufffdb\ufffdc";
        var failed = new CheckedCase("A_case", 45, "8 bytes: 00", "GOAWAY ProtocolError, closed", Said, SpecVerdict.Failed, new SpecStep(1, string.Empty, Said), TimeSpan.Zero);
        var skipped = failed with { Verdict = SpecVerdict.Skipped, Step = null };
        var report = new SpecReport(MuxAddress.Parse("mux://127.0.0.1:1"), SpecReport.Client, [failed, skipped], $"3 cases in a row failed, the last one with: {Said}.");

        using var stream = new MemoryStream(JUnitReport.Write(report).ToArray());
        var suite = XDocument.Load(stream).Root!;

        var failure = Assert.Single(suite.Descendants("failure"));
        Assert.Equal($"expected GOAWAY ProtocolError, closed; got {Shown}", failure.Attribute("message")!.Value);
        Assert.Contains(Shown, failure.Value, StringComparison.Ordinal);
        Assert.Equal(Shown, Assert.Single(suite.Descendants("skipped")).Attribute("message")!.Value);
        Assert.Equal($"3 cases in a row failed, the last one with: {Shown}.", suite.Element("system-err")!.Value);
    }
}
