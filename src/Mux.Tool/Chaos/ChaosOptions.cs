namespace Mux.Tool.Chaos;

/// <summary>Options of a <see cref="ChaosProxy"/> that do not change while it runs.</summary>
internal sealed record ChaosOptions
{
    public const int DefaultBufferBytes = 4 * 1024 * 1024;
    public const int DefaultMaxConnections = 1024;

    /// <summary>Address for clients; port 0 selects a free one. TCP: the scheme is <c>mux</c> or <c>muxs</c>.</summary>
    public required MuxAddress Listen { get; init; }

    /// <summary>The server, with the same schemes. TLS passes through as it is.</summary>
    public required MuxAddress Target { get; init; }

    /// <summary>Decides which connections have faults, which bytes become wrong, where a reset strikes in a range, and the jitter of each piece.</summary>
    public required int Seed { get; init; }

    /// <summary>Bytes that may be under way in one direction of a connection, 1 and up; then the sender waits. With a delay, this limits the rate.</summary>
    public int BufferBytes { get; init; } = DefaultBufferBytes;

    /// <summary>Connections at once, 1 and up; more wait in the backlog of the system.</summary>
    public int MaxConnections { get; init; } = DefaultMaxConnections;
}
