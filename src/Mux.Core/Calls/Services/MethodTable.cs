using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.Calls;

/// <summary>The methods of a server, fixed when it starts. Searched once per connection and method, when a DEFINE comes. Safe for concurrent use.</summary>
/// <param name="methods">The methods.</param>
/// <param name="environment">Observers of calls of other methods; null if there are none.</param>
/// <param name="fallback">Finds methods that are not among them; null if nothing does.</param>
/// <param name="own">Wire names of services that the user has not added; null for none.</param>
internal sealed class MethodTable(
    IEnumerable<InboundMethod> methods, HandlerEnvironment? environment = null, IMethodFallback? fallback = null, IReadOnlySet<string>? own = null)
    : IMethodResolver
{
    // A wire name has at most 256 bytes, so at most 256 characters.
    private const int MaxNameLength = ProtocolConstants.MaxMethodName;

    private readonly FrozenDictionary<string, InboundMethod> _byName = methods
        .ToFrozenDictionary(method => method.Descriptor!.FullName, StringComparer.Ordinal);

    private readonly UnknownMethods _unknown = new(methods.Select(method => method.Descriptor!), environment, isGateway: fallback is not null);

    // At most seven per method, whatever peers define: a connection holds references only.
    private readonly ConcurrentDictionary<(InboundMethod Method, MethodShape Asked), InboundMethod> _otherShapes = new();

    /// <summary>Wire names of the user's services, in order.</summary>
    public IEnumerable<string> Services => fallback is null ? OfUser : OfUser.Concat(fallback.Patterns);

    public IEnumerable<MethodDescriptor> Descriptors => fallback is null ? Own : Own.Concat(fallback.Found);

    /// <summary>The keys of calls that run one after the other; null if no method has such.</summary>
    public KeyTable? Keys => _byName.Values.Any(static method => method.OrderScope != 0) ? environment?.Keys : null;

    /// <inheritdoc cref="IMethodFallback.ClientOf"/>
    public string? ClientOf(MethodDescriptor method) => fallback?.ClientOf(method);

    private IEnumerable<string> OfUser => own is null ? _unknown.Services : _unknown.Services.Where(name => !own.Contains(name));

    private IEnumerable<MethodDescriptor> Own => _byName.Values.Select(method => method.Descriptor!);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape)
    {
        Span<char> characters = stackalloc char[MaxNameLength];
        if (!Encoding.UTF8.TryGetChars(name, characters, out int length)) return _unknown.Others;
        if (!_byName.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(characters[..length], out var method))
        {
            return fallback?.Find(characters[..length], shape) ?? _unknown.Find(characters[..length]);
        }

        return method.Descriptor!.Shape == shape ? method : OtherShapeOf(method, shape);
    }

    private InboundMethod OtherShapeOf(InboundMethod method, MethodShape asked) =>
        _otherShapes.GetOrAdd((method, asked), static (key, environment) => Refusing(key.Method.Descriptor!, key.Asked, environment), environment);

    /// <summary>Refuses calls of a method that has another shape here: the two sides were built against different contracts.</summary>
    private static AbsentMethod Refusing(MethodDescriptor descriptor, MethodShape asked, HandlerEnvironment? environment)
    {
        var text = $"{descriptor.FullName} is {descriptor.Shape} here and was called as {asked}: the contracts differ.";
        return new AbsentMethod(descriptor, null, text, environment);
    }
}
