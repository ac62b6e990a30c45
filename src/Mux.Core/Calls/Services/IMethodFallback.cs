using Mux.Contracts;
using Mux.Engine;

namespace Mux.Calls;

/// <summary>Finds methods that no service of a server has. Safe for concurrent use.</summary>
internal interface IMethodFallback
{
    /// <summary>The names that it covers, for the log.</summary>
    IEnumerable<string> Patterns { get; }

    /// <summary>The methods found so far, and one for each pattern, which stands for those that are not.</summary>
    IEnumerable<MethodDescriptor> Found { get; }

    /// <summary>Gets the name under which a found method is counted; null if it is not of this object.</summary>
    string? ClientOf(MethodDescriptor method);

    /// <summary>Finds a method.</summary>
    /// <param name="name">Wire name of the service, a slash, and that of the method.</param>
    /// <param name="shape">The shape that the peer gives it.</param>
    /// <returns>Null if the name is not covered.</returns>
    InboundMethod? Find(ReadOnlySpan<char> name, MethodShape shape);
}
