namespace Mux.Tool.Workloads;

/// <summary>What the calls of a run are. <see cref="WorkloadTraits"/> has what follows from it.</summary>
internal enum Workload
{
    /// <summary>The messages and the work of BeetleX's multiplexing test: 11 bytes there, 49 bytes back.</summary>
    Employee,

    /// <summary>Bytes of a chosen size, there and back.</summary>
    Echo,

    /// <summary>No arguments, no result.</summary>
    Empty,

    /// <summary>Streams of employees from the server.</summary>
    ServerStream,

    /// <summary>Streams of employees to the server.</summary>
    ClientStream,

    /// <summary>The requests and replies of <see cref="Employee"/> as items of two streams of one call.</summary>
    Duplex,

    /// <summary>Many bytes, there and back, as one message.</summary>
    Bulk,

    /// <summary>Many bytes, there and back, as items of two streams of one call.</summary>
    BulkStream,

    /// <summary>Small echoes beside large replies.</summary>
    Mixed,
}
