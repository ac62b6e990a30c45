namespace Mux.Tool.Load;

/// <summary>Where the bulk of a mixed workload runs.</summary>
internal enum BulkConnection
{
    /// <summary>On the connections of the calls beside it.</summary>
    Same,

    /// <summary>On as many others, which shows what the calls lose by sharing a machine and not a connection.</summary>
    Other,
}
