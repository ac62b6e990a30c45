namespace Mux.Push;

/// <summary>Whether items of a type know their numbers.</summary>
internal static class TopicStamp<T>
{
    /// <summary>True if all of them do. A value type does not: what is stamped would be a copy.</summary>
    public static bool IsUsed { get; } = !typeof(T).IsValueType && typeof(IMuxTopicItem).IsAssignableFrom(typeof(T));
}
