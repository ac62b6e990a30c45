using System.Runtime.CompilerServices;

namespace Mux.Push;

/// <summary>Items that a reader takes under one lock. On the stack: a sweep allocates nothing.</summary>
[InlineArray(Length)]
internal struct TopicPortion<T>
{
    public const int Length = 16;

    private TopicItem<T>? _first;
}
