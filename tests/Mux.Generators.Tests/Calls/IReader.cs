using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>A contract that others inherit, with members that are called from afar and members that are not.</summary>
[MuxService("test.Reader", Idempotent = true)]
[MuxError<Leaf>(1)]
public interface IReader
{
    static string Separator => "+";

    string Prefix => ">";

    ValueTask<string> Read(int number);

    [MuxMethod("ReadNamed")]
    ValueTask<string> Read(string name);

    /// <summary>Runs where it is called.</summary>
    async ValueTask<string> ReadTwice(int number) => Prefix + await Read(number) + Separator + await Read(number);

    /// <summary>Runs at the server, which need not have a body of its own.</summary>
    [MuxMethod]
    ValueTask<string> Describe() => new("nothing to say");
}
