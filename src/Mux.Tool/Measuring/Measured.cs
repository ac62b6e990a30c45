namespace Mux.Tool.Measuring;

/// <summary>Kinds of latencies, one histogram each.</summary>
internal enum Measured
{
    /// <summary>From when the call was due to its reply; in a closed loop the same as <see cref="Service"/>, which is not counted there.</summary>
    Response,

    /// <summary>From when the call was made to its reply. Open loop only.</summary>
    Service,

    /// <summary>From when the call was due to when it was made. Open loop only.</summary>
    Lag,

    /// <summary>The response time of a call whose handler blocks on purpose.</summary>
    Slow,

    /// <summary>The response time of the other calls.</summary>
    Others,

    /// <summary>The large replies of a mixed workload.</summary>
    Bulk,

    /// <summary>From when a call was made to the first item of its response stream.</summary>
    FirstItem,

    /// <summary>The items of response streams; their number alone.</summary>
    Received,

    /// <summary>The items of request streams; their number alone.</summary>
    Sent,
}
