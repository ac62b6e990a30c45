using Mux.Contracts;

namespace Mux.Tests.Reflection;

/// <summary>A contract that counts how often it is described.</summary>
internal sealed class CountedContract : ServiceContract<ICounted>
{
    private readonly UnaryMethod<MuxUnit, MuxUnit> _ask = new(
        new MethodDescriptor("test.Counted", "Ask", MethodShape.Unary, takesToken: false) { Authorization = new MethodAuthorization(allowsAnonymous: true, requiresUser: false, [], []) },
        new EmptyCodec("ask"), new EmptyCodec("ask"), static (_, _, _, _) => default);

    private int _descriptions;

    public int Descriptions => Volatile.Read(ref _descriptions);

    public override string Name => "test.Counted";

    public override ICounted CreateProxy(CallInvoker invoker) => throw new NotSupportedException();

    public override void Describe(IMethodVisitor visitor) => visitor.Unary(_ask);

    public override void Describe(ContractDescription description) => Interlocked.Increment(ref _descriptions);
}
