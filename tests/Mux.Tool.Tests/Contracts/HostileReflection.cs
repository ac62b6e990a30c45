using Mux.Tool.Contracts;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Answers with what it is told.</summary>
internal sealed class HostileReflection(string[] names, byte[] set) : IReflection
{
    public ValueTask<string[]> List(CancellationToken cancellationToken = default) => new(names);

    public ValueTask<byte[]> Describe(string[] services, CancellationToken cancellationToken = default) => new(set);
}
