using Mux.Contracts;
using Mux.Generators.Tests.Contracts;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Calls the codec of the reply without any delegate or array around it.</summary>
internal static class EncodingMeter
{
    private static readonly MessageCodec<Employee> s_replies = Find();

    public static void Encode(ref MessageWriter writer, Employee employee) => s_replies.Encode(ref writer, employee);

    public static Employee Decode(byte[] bytes) => s_replies.Decode(bytes);

    private static MessageCodec<Employee> Find()
    {
        var visitor = new Visitor();
        ServiceContract<IDirectory>.Get().Describe(visitor);
        return visitor.Found!;
    }

    private sealed class Visitor : IMethodVisitor
    {
        public MessageCodec<Employee>? Found { get; private set; }

        public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => Found = (MessageCodec<Employee>)(object)method.Responses;
    }
}
