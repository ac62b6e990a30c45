namespace Mux.Tool.Load;

/// <summary>Connections for the bulk of a mixed workload.</summary>
internal enum BulkConnection
{
    /// <summary>The connections of the small calls.</summary>
    Same,

    /// <summary>As many other connections, to show what the calls lose by sharing the machine but not the connection.</summary>
    Other,
}
