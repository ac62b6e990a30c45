namespace Mux.Filters;

/// <summary>A filter does not keep to its contract: what follows was not run, was run twice or was not awaited. A class of its own, so that no row for
/// exceptions of handlers answers it.</summary>
internal sealed class FilterMistake(string message) : InvalidOperationException(message);
