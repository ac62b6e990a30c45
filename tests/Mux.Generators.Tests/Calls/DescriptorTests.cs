using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>What a contract says about its methods.</summary>
public sealed class DescriptorTests
{
    private static readonly Dictionary<string, MethodDescriptor> s_methods = Collect();

    [Fact]
    public void Methods_are_described_in_the_order_of_their_declaration()
    {
        Assert.Equal(
            [
                "Nothing", "NothingLater", "TaskWithoutResult", "Message", "MessageTask", "Number", "Join", "Struct", "MaybeStruct", "Bytes",
                "Leaves", "Fire", "FireTask", "NumberOf", "event", "Fail",
            ],
            s_methods.Keys.Select(static name => name.Split('/')[1]));
    }

    [Theory]
    [InlineData("Message", MethodShape.Unary, MuxDispatch.Pool, false)]
    [InlineData("Join", MethodShape.Unary, MuxDispatch.Pool, true)]
    [InlineData("Fire", MethodShape.OneWay, MuxDispatch.Pool, false)]
    [InlineData("FireTask", MethodShape.OneWay, MuxDispatch.Inline, false)]
    public void A_descriptor_says_what_the_attributes_say(string name, MethodShape shape, MuxDispatch dispatch, bool takesToken)
    {
        var descriptor = s_methods["test.Calls/" + name];
        Assert.Equal((shape, dispatch, takesToken), (descriptor.Shape, descriptor.Dispatch, descriptor.TakesToken));
    }

    private static Dictionary<string, MethodDescriptor> Collect()
    {
        var visitor = new Visitor();
        ServiceContract<ICalls>.Get().Describe(visitor);
        return visitor.Methods;
    }

    private sealed class Visitor : IMethodVisitor<ICalls>
    {
        public Dictionary<string, MethodDescriptor> Methods { get; } = [];

        public void Unary<TRequest, TResponse, TMethod>()
            where TMethod : struct, IUnaryMethod<ICalls, TRequest, TResponse>
        {
            Methods.Add(TMethod.Descriptor.FullName, TMethod.Descriptor);
            Assert.Same(TMethod.Descriptor, TMethod.Descriptor);
        }
    }
}
