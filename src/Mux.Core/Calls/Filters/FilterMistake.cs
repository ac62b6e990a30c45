namespace Mux.Calls;

/// <summary>A filter does not keep to its contract: what follows was not run, was run twice or was not awaited. A class of its own, so that no row for
/// exceptions of handlers answers it.</summary>
/// <param name="told">What the filter did, for the peer whose call it was: without the names of types.</param>
/// <param name="message">What it did, and what to change.</param>
internal sealed class FilterMistake(string told, string message) : InvalidOperationException(message)
{
    public string Told => told;
}
