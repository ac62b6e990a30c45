using Mux.Contracts;
using Mux.Generators.Tests.Contracts;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Calls the codec of the reply without any delegate or array around it.</summary>
internal static class EncodingMeter
{
    private static readonly Caller s_caller = Find();

    public static void Encode(ref MessageWriter writer, Employee employee) => s_caller.Encode(ref writer, employee);

    public static Employee Decode(byte[] bytes) => s_caller.Decode(bytes);

    private static Caller Find()
    {
        var visitor = new Visitor();
        ServiceContract<IDirectory>.Get().Describe(visitor);
        return visitor.Found!;
    }

    private abstract class Caller
    {
        public abstract void Encode(ref MessageWriter writer, Employee employee);

        public abstract Employee Decode(byte[] bytes);
    }

    private sealed class Caller<TRequest, TResponse, TMethod> : Caller
        where TMethod : struct, IUnaryMethod<IDirectory, TRequest, TResponse>
    {
        public override void Encode(ref MessageWriter writer, Employee employee) => TMethod.EncodeResponse(ref writer, (TResponse)(object)employee);

        public override Employee Decode(byte[] bytes) => (Employee)(object)TMethod.DecodeResponse(bytes)!;
    }

    private sealed class Visitor : IMethodVisitor<IDirectory>
    {
        public Caller? Found { get; private set; }

        public void Unary<TRequest, TResponse, TMethod>()
            where TMethod : struct, IUnaryMethod<IDirectory, TRequest, TResponse>
        {
            Found = new Caller<TRequest, TResponse, TMethod>();
        }
    }
}
