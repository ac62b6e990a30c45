namespace Mux.Tool.Measuring;

/// <summary>What of a call is counted in a histogram.</summary>
internal enum Measured
{
    /// <summary>From when it should have been made to its reply; in a closed loop the same as <see cref="Service"/>, which is not counted there.</summary>
    Response,

    /// <summary>From when it was made to its reply. Open loop only.</summary>
    Service,

    /// <summary>From when it should have been made to when it was. Open loop only.</summary>
    Lag,

    /// <summary>The response time of a call whose handler blocks on purpose.</summary>
    Slow,

    /// <summary>The response time of the calls beside those.</summary>
    Others,

    /// <summary>The large replies beside the calls of a mixed workload.</summary>
    Bulk,
}
