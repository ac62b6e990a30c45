namespace Mux.Calls;

/// <summary>The policies of a channel, by method. Immutable.</summary>
/// <param name="others">The policy of methods that have none of their own.</param>
/// <param name="methods">Policies by full name of the method, such as <c>shop.Orders/Find</c>.</param>
internal sealed class CallPolicies(CallPolicy others, IReadOnlyDictionary<string, CallPolicy> methods)
{
    /// <summary>No call is sent again.</summary>
    public static CallPolicies None { get; } = new(new CallPolicy(), new Dictionary<string, CallPolicy>(StringComparer.Ordinal));

    /// <summary>Gets the policy of a method.</summary>
    /// <param name="fullName">Its full name.</param>
    public CallPolicy Of(string fullName) => methods.TryGetValue(fullName, out var own) ? own : others;
}
