using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Finds the full names of the methods of a contract.</summary>
internal sealed class MethodNames : IMethodVisitor
{
    private const string AsyncSuffix = "Async"; // generated wire names leave it out

    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    private MethodNames()
    {
    }

    /// <summary>Gets the full name of one method, or of all.</summary>
    /// <param name="method">The name of the method, with or without the suffix Async; null for all.</param>
    /// <exception cref="ArgumentException">The contract has no such method.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public static IReadOnlySet<string> Of<TContract>(string? method)
        where TContract : class
    {
        var visitor = new MethodNames();
        ServiceContract<TContract>.Get().Describe(visitor);
        if (method is null) return visitor._names;
        string plain = method.EndsWith(AsyncSuffix, StringComparison.Ordinal) ? method[..^AsyncSuffix.Length] : method;
        var found = visitor._names.Where(name => Short(name) == method).ToHashSet(StringComparer.Ordinal);
        if (found.Count == 0) found = visitor._names.Where(name => Short(name) == plain).ToHashSet(StringComparer.Ordinal);
        return found.Count > 0 ? found : throw new ArgumentException(
            $"{typeof(TContract)} has no method '{method}': expected {string.Join(", ", visitor._names.Select(Short).Order(StringComparer.Ordinal))}.",
            nameof(method));
    }

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => _names.Add(method.Descriptor.FullName);

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) => _names.Add(method.Descriptor.FullName);

    private static string Short(string fullName) => fullName[(fullName.LastIndexOf('/') + 1)..];
}
