using Mux.Contracts;
using Mux.Engine;

namespace Mux.Core.Tests.Simulation;

/// <summary>One method that answers at once with what it got, and one that answers when it is told to. Allocates nothing for the first.</summary>
internal sealed class EchoMethods : IMethodResolver
{
    private readonly EchoMethod _fast = new(Fast);
    private readonly EchoMethod _slow = new(Slow);

    public static MethodDescriptor Fast { get; } = new("echo", "Fast", MethodShape.Unary, takesToken: false);

    public static MethodDescriptor Slow { get; } = new("echo", "Slow", MethodShape.Unary, takesToken: false);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape) => name.SequenceEqual(Fast.Utf8Name.Span) ? _fast : _slow;

    public void AnswerSlow() => _slow.AnswerKept();

    private sealed class EchoMethod(MethodDescriptor descriptor) : InboundMethod
    {
        private readonly List<(InboundCall Call, byte[] Body)> _kept = [];

        public override MethodDescriptor Descriptor => descriptor;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            if (descriptor == Slow)
            {
                _kept.Add((call with { InTurn = false }, body.ToArray()));
                return;
            }

            var writer = call.BeginReply();
            writer.Write(body);
            call.CommitReply(ref writer);
        }

        public void AnswerKept()
        {
            foreach (var (call, body) in _kept) call.Reply(body);
        }
    }
}
