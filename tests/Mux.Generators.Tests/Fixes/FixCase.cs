namespace Mux.Generators.Tests.Fixes;

/// <summary>A mistake and what a fix makes of it.</summary>
/// <param name="Id">The diagnostic, of which there is one.</param>
/// <param name="What">What is wrong, for the test list.</param>
/// <param name="Title">Of the fix that is taken.</param>
/// <param name="Before">The source.</param>
/// <param name="After">What becomes of it.</param>
public sealed record FixCase(string Id, string What, string Title, string Before, string After)
{
    public const string Usings = """
        using System.Collections.Generic;
        using System.ComponentModel;
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;


        """;

    public override string ToString() => $"{Id} {What}: {Title}";
}
