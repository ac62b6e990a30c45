using Mux.Contracts;

namespace Mux.Tests.Reflection;

/// <summary>A contract as an assembly has it that was built without descriptions.</summary>
internal sealed class UndescribedContract : ServiceContract<IUndescribed>
{
    private readonly UnaryMethod<MuxUnit, MuxUnit> _ask = new(
        new MethodDescriptor("test.Undescribed", "Ask", MethodShape.Unary, takesToken: false), new EmptyCodec("ask"), new EmptyCodec("ask"), static (_, _, _, _) => default);

    public override string Name => "test.Undescribed";

    public override IUndescribed CreateProxy(CallInvoker invoker) => throw new NotSupportedException();

    public override void Describe(IMethodVisitor visitor) => visitor.Unary(_ask);
}
