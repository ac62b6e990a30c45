namespace Mux.Generators.Tests.Driver;

/// <summary>A mistake, the place where it must be shown, and how to mend it.</summary>
/// <param name="Id">The diagnostic.</param>
/// <param name="What">What is wrong, for the test list.</param>
/// <param name="Marked">The source; the place is marked by [| and |].</param>
/// <param name="Says">A part of the text.</param>
/// <param name="Replace">What to replace in the source, so that the mistake is gone.</param>
/// <param name="With">What to replace it with.</param>
public sealed record DiagnosticCase(string Id, string What, string Marked, string Says, string Replace, string With)
{
    private const string Open = "[|";
    private const string Close = "|]";

    private const string Usings = """
        using System.Collections.Generic;
        using System.ComponentModel;
        using System.IO;
        using System.IO.Pipelines;
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Channels;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;


        """;

    /// <summary>The text at which the diagnostic is shown.</summary>
    public string Place => Marked[(Marked.IndexOf(Open, StringComparison.Ordinal) + Open.Length)..Marked.IndexOf(Close, StringComparison.Ordinal)];

    public string Wrong => Usings + Marked.Replace(Open, string.Empty, StringComparison.Ordinal).Replace(Close, string.Empty, StringComparison.Ordinal);

    public string Right => Wrong.Replace(Replace, With, StringComparison.Ordinal);

    public override string ToString() => $"{Id} {What}";
}
