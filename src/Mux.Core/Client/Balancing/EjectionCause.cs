namespace Mux.Client;

/// <summary>Why an endpoint is ejected.</summary>
internal enum EjectionCause
{
    /// <summary>It has failed more than half of its calls.</summary>
    FailedCalls,

    /// <summary>Connections to it fail, or are lost before they are of use, one after the other.</summary>
    FailedConnections,

    /// <summary>It has failed again when a call tried it.</summary>
    FailedProbe,
}
