using Mux.Backplanes;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>What all topics of one kind share that reach other servers.</summary>
/// <param name="Backplane">Carries their items.</param>
/// <param name="Codec">Writes and reads their items.</param>
/// <param name="Origin">A random number that names the publisher of an item: these topics in this process.</param>
/// <param name="Retain">Items that the backplane keeps for new readers.</param>
/// <param name="Counters">Counts for all of them.</param>
/// <param name="Work">Continues deliveries that would hold up a publisher.</param>
internal sealed record TopicShare<T>(
    MuxBackplane Backplane, MessageCodec<T> Codec, ulong Origin, int Retain, TopicCounters Counters, WorkQueue Work);
