namespace Mux.Calls;

/// <summary>What a filter covers; the larger scope is outside.</summary>
internal enum FilterScope
{
    /// <summary>All methods of the server or channel.</summary>
    All = 0,

    /// <summary>All methods of a contract.</summary>
    Service = 1,

    /// <summary>One method.</summary>
    Method = 2,
}
