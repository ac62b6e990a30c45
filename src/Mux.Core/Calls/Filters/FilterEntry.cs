using Mux.Contracts;
using Mux.Filters;

namespace Mux.Calls;

/// <summary>A filter that was added.</summary>
/// <param name="Filter">The filter.</param>
/// <param name="Scope">What it covers.</param>
/// <param name="Methods">Full names of the methods that it covers; null for all.</param>
internal sealed record FilterEntry(MuxFilter Filter, FilterScope Scope, IReadOnlySet<string>? Methods)
{
    /// <summary>True if the filter runs around calls of the method.</summary>
    public bool Covers(MethodDescriptor method) => Methods is null || Methods.Contains(method.FullName);
}
