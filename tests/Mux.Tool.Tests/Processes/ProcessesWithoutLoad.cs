[assembly: CollectionBehavior(MaxParallelThreads = 3)] // a load, processes without one, and the catalogue: two of them wait more than they compute

namespace Mux.Tool.Tests.Processes;

/// <summary>Processes that print, wait, or play cases one after the other. They leave a processor to a process under load: see <see cref="OneProcessAtATime"/>.</summary>
[CollectionDefinition(Name)]
public sealed class ProcessesWithoutLoad
{
    public const string Name = "processes without load";
}
