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

    /// <summary>Refuses calls of a method that has another shape here: the two sides were built against different contracts.</summary>
    private sealed class OtherShapeMethod(MethodDescriptor descriptor, MethodShape asked) : InboundMethod
    {
        private readonly string _text = $"{descriptor.FullName} is {descriptor.Shape} here and was called as {asked}: the contracts differ.";

        public override MethodDescriptor? Descriptor => descriptor;

        public override bool IsServed => false;

        public override string Absence => _text;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, _text);
    }
}
