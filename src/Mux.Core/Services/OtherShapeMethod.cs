using Mux.Contracts;
using Mux.Sessions.Incoming;

namespace Mux.Services;

/// <summary>Refuses calls of a method that has another shape here: the two sides were built against different contracts.</summary>
internal sealed class OtherShapeMethod(MethodDescriptor descriptor, MethodShape asked) : InboundMethod
{
    private readonly string _text = $"{descriptor.FullName} is {descriptor.Shape} here and was called as {asked}: the contracts differ.";

    public override MethodDescriptor? Descriptor => descriptor;

    public override bool IsServed => false;

    public override string Absence => _text;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, _text);
}
