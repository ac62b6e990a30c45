using System.Collections.Concurrent;
using Mux.Contracts;
using Mux.Execution;

namespace Mux.Diagnostics;

/// <summary>
/// Passes on, once per method of one channel or server, that a peer has another contract: what decodes nevertheless may lose members, and no call reports it.
/// Thread-safe.
/// </summary>
internal sealed class ContractDifferences
{
    private readonly ConcurrentDictionary<int, byte> _told = new(); // by MethodDescriptor.Index, so peers cannot make it grow

    /// <summary>Runs a report on the .NET pool, unless there was one for this method.</summary>
    public void Tell(MethodDescriptor method, Action report)
    {
        if (_told.TryAdd(method.Index, 0)) ReportThread.TellOnPool(report);
    }
}
