namespace Mux.Runtime;

/// <summary>A limit of places that was reached.</summary>
internal enum PlaceLimit
{
    /// <summary>That of all addresses.</summary>
    Total,

    /// <summary>That of the peer's address.</summary>
    OfAddress,
}
