using Mux.Contracts;
using Mux.Serialization;

namespace Mux.TestSupport.Serializers;

/// <summary>Writes and reads the request of a contract's method Echo as its generated code does, without a call.</summary>
public sealed class DirectCodec<TContract, TMessage> : IMethodVisitor
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

    void IMethodVisitor.Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        if (method.Descriptor.FullName != SerializerSuite.Service + "/Echo") return;
        method.Prepare();
        Func<TRequest, int, byte[]> encode = (request, room) => Encode(method.Requests, request, room);
        Func<byte[], TRequest> decode = body => method.Requests.Decode(body);
        _encode = (Func<TMessage, int, byte[]>)(object)encode;
        _decode = (Func<byte[], TMessage>)(object)decode;
    }

    private static byte[] Encode<TRequest>(MessageCodec<TRequest> codec, TRequest request, int room)
    {
        var overflow = new MessageBuffer();
        try
        {
            var writer = new MessageWriter(new byte[room], overflow);
            codec.Encode(ref writer, request);
            return writer.Written.ToArray();
        }
        finally
        {
            overflow.Release();
        }
    }
}
