namespace Seeds.Contracts;

/// <summary>What a client wants to know of the server's process.</summary>
[MuxService("seeds.ServerState")]
internal interface IServerState
{
    /// <summary>After a full collection.</summary>
    ValueTask<ServerState> ReadAsync();

    /// <summary>As it is.</summary>
    ValueTask<ServerState> GlanceAsync();

    /// <summary>A block of this size, for readers that are slower than that.</summary>
    ValueTask<byte[]> FillAsync(int bytes);
}
