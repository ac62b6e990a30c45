namespace Mux.Tool.Workloads;

/// <summary>Kinds of calls of a run. <see cref="WorkloadTraits"/> has their properties.</summary>
internal enum Workload
{
    /// <summary>The messages and the work of BeetleX's multiplexing test: 11 bytes there, 49 bytes back.</summary>
    Employee,

    /// <summary>Bytes of a chosen size, in both directions.</summary>
    Echo,

    /// <summary>No arguments, no result.</summary>
    Empty,

    /// <summary>Streams of employees from the server.</summary>
    ServerStream,

    /// <summary>Streams of employees to the server.</summary>
    ClientStream,

    /// <summary>The requests and replies of <see cref="Employee"/> as items of two streams of one call.</summary>
    Duplex,

    /// <summary>Many bytes in both directions, as one message.</summary>
    Bulk,

    /// <summary>Many bytes in both directions, as items of two streams of one call.</summary>
    BulkStream,

    /// <summary>Small echoes in addition to large replies.</summary>
    Mixed,

    /// <summary>A method of another contract, called by its name. No value of <c>--workload</c>.</summary>
    Method,
}
