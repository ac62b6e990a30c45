using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Text;
using Mux.Contracts;
using Mux.Sessions.Incoming;

namespace Mux.Services;

/// <summary>The methods of a server, fixed when it starts. Searched once per connection and method, when a DEFINE comes. Safe for concurrent use.</summary>
internal sealed class MethodTable(IEnumerable<InboundMethod> methods) : IMethodResolver
{
    // A wire name has at most 256 bytes, so at most 256 characters.
    private const int MaxNameLength = Wire.ProtocolConstants.MaxMethodName;

    private readonly FrozenDictionary<string, InboundMethod> _byName = methods
        .ToFrozenDictionary(method => method.Descriptor!.FullName, StringComparer.Ordinal);

    private readonly UnknownMethods _unknown = new(methods.Select(method => method.Descriptor!));

    // At most seven per method, whatever peers define: a connection holds references only.
    private readonly ConcurrentDictionary<(InboundMethod Method, MethodShape Asked), OtherShapeMethod> _otherShapes = new();

    /// <summary>Wire names of the services, in order.</summary>
    public IEnumerable<string> Services => _unknown.Services;

    public IEnumerable<MethodDescriptor> Descriptors => _byName.Values.Select(method => method.Descriptor!);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape)
    {
        Span<char> characters = stackalloc char[MaxNameLength];
        if (!Encoding.UTF8.TryGetChars(name, characters, out int length)) return UnknownMethod.Instance;
        if (!_byName.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(characters[..length], out var method)) return _unknown.Find(characters[..length]);
        return method.Descriptor!.Shape == shape ? method : OtherShapeOf(method, shape);
    }

    private OtherShapeMethod OtherShapeOf(InboundMethod method, MethodShape asked) =>
        _otherShapes.GetOrAdd((method, asked), static key => new OtherShapeMethod(key.Method.Descriptor!, key.Asked));
}
