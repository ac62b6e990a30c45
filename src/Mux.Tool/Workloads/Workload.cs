namespace Mux.Tool.Workloads;

/// <summary>What the calls of a run are. The names in lower case are the values of <c>--workload</c>.</summary>
internal enum Workload
{
    /// <summary>The messages and the work of BeetleX's multiplexing test: 11 bytes there, 49 bytes back.</summary>
    Employee,

    /// <summary>Bytes of a chosen size, there and back.</summary>
    Echo,

    /// <summary>No arguments, no result.</summary>
    Empty,
}
