namespace Evidence.Serving;

/// <summary>What the server's process has in use.</summary>
[MuxService("evidence.ServerMemory")]
internal interface IServerMemory
{
    /// <summary>After everything that can be collected was, and was given back to the system.</summary>
    ValueTask<ServerMemory> ReadAsync();
}
