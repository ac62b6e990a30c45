using Mux.Contracts;
using Mux.Serialization;

namespace Mux.TestSupport.Serializers;

/// <summary>Writes and reads the request of a contract's method Echo as its generated code does, without a call.</summary>
public sealed class DirectCodec<TContract, TMessage> : IMethodVisitor<TContract>
    where TContract : class
{
    private Func<TMessage, int, byte[]>? _encode;
    private Func<byte[], TMessage>? _decode;

    public DirectCodec()
    {
        ServiceContract<TContract>.Get().Describe(this);
        Assert.NotNull(_encode);
    }

    /// <param name="message">What is written.</param>
    /// <param name="room">Bytes that there are at first.</param>
    public byte[] Encode(TMessage message, int room = 1024) => _encode!(message, room);

    public TMessage Decode(byte[] body) => _decode!(body);

    void IMethodVisitor<TContract>.Unary<TRequest, TResponse, TMethod>()
    {
        if (TMethod.Descriptor.FullName != SerializerSuite.Service + "/Echo") return;
        TMethod.Prepare();
        Func<TRequest, int, byte[]> encode = Encode<TRequest, TResponse, TMethod>;
        Func<byte[], TRequest> decode = static body => TMethod.DecodeRequest(body);
        _encode = (Func<TMessage, int, byte[]>)(object)encode;
        _decode = (Func<byte[], TMessage>)(object)decode;
    }

    private static byte[] Encode<TRequest, TResponse, TMethod>(TRequest request, int room)
        where TMethod : struct, IUnaryMethod<TContract, TRequest, TResponse>
    {
        var overflow = new MessageBuffer();
        try
        {
            var writer = new MessageWriter(new byte[room], overflow);
            TMethod.EncodeRequest(ref writer, request);
            return writer.Written.ToArray();
        }
        finally
        {
            overflow.Release();
        }
    }
}
