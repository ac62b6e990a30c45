using Mux.Wire;

namespace Mux;

/// <summary>How a server listens and what it takes.</summary>
public sealed class MuxServerOptions : MuxOptions
{
    /// <summary>Creates options with the defaults of a server.</summary>
    public MuxServerOptions()
    {
        KeepAliveTime = TimeSpan.FromMinutes(2);
        DrainTimeout = TimeSpan.FromSeconds(20);
    }

    /// <summary>
    /// Connections at a time; further ones are closed when they are accepted. One that is gone counts until its last handler has returned, so that this many times
    /// <see cref="MaxCallsPerConnection"/> bounds the handlers that run. Sockets are files: where the process may open fewer than this and 128 more, the server says so in a
    /// warning when it starts and takes as many as fit.
    /// </summary>
    /// <value>1 to 1,000,000; 10,000 by default.</value>
    public int MaxConnections { get; set; } = 10_000;

    /// <summary>Calls a client may have open on one connection, which bounds the handlers running for it. Further calls wait in the client, in order.</summary>
    /// <value>1 to 1,048,575; 16,384 by default.</value>
    public int MaxCallsPerConnection { get; set; } = 16_384;

    /// <summary>Different methods a client may use on one connection.</summary>
    /// <value>1 to 65,535; 4,096 by default.</value>
    public int MaxMethodsPerConnection { get; set; } = 4096;

    /// <summary>Bytes of requests kept on one connection while its client takes too few of the replies; beyond, requests are refused.</summary>
    /// <value>Bytes, 65,536 to 1 GiB; 1 MiB by default.</value>
    public long MaxParkedBytes { get; set; } = 1024 * 1024;

    /// <inheritdoc/>
    public override IEnumerable<OptionFailure> Validate()
    {
        foreach (var failure in base.Validate()) yield return failure;
        if (MaxConnections is < 1 or > 1_000_000) yield return OptionFailure.OutOfRange(nameof(MaxConnections), MaxConnections, "1 to 1000000");
        if (MaxCallsPerConnection is < 1 or > CallId.MaxSlot) yield return OptionFailure.OutOfRange(nameof(MaxCallsPerConnection), MaxCallsPerConnection, "1 to 1048575");
        if (MaxMethodsPerConnection is < 1 or > ushort.MaxValue) yield return OptionFailure.OutOfRange(nameof(MaxMethodsPerConnection), MaxMethodsPerConnection, "1 to 65535");
        if (MaxParkedBytes is < 65_536 or > 1L << 30) yield return OptionFailure.OutOfRange(nameof(MaxParkedBytes), MaxParkedBytes, "65536 to 1073741824 bytes");
    }
}
