namespace Mux.Peers;

/// <summary>Is told which peers a server has. Runs under the lock of the list, so it only takes note.</summary>
internal interface IPeerListing
{
    /// <summary>A peer is listed.</summary>
    /// <param name="user">The name that it is listed under; null if it has none.</param>
    void OnListed(string? user);

    /// <summary>A peer is not listed any more.</summary>
    /// <param name="user">The name that it was listed under; null if it had none.</param>
    void OnUnlisted(string? user);
}
