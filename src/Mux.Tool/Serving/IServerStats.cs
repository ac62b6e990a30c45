namespace Mux.Tool.Serving;

/// <summary>What a client of <c>mux serve</c> may know about it.</summary>
[MuxService("mux.bench.Stats")]
internal interface IServerStats
{
    /// <summary>What the server runs on, which does not change.</summary>
    ValueTask<ProcessEnvironment> DescribeAsync();

    /// <summary>What it has used and done so far.</summary>
    ValueTask<ServerReport> ReadAsync();
}
