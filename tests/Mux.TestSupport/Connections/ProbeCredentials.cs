using Mux.Connections;

namespace Mux.TestSupport.Connections;

/// <summary>Provides what the test says, and remembers for what.</summary>
internal sealed class ProbeCredentials : ICredentialProvider
{
    /// <summary>The payload of AUTH.</summary>
    public Func<Task<byte[]>> Provide { get; set; } = static () => Task.FromResult<byte[]>([5, .. "probe"u8, 1, 2, 3]);

    public List<(IReadOnlyList<string> Schemes, byte[] Nonce)> Asked { get; } = [];

    public Task<byte[]> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending)
    {
        Asked.Add((schemes, nonce));
        return Provide();
    }
}
