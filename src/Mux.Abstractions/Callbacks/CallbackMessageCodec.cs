using System.ComponentModel;
using Mux.Contracts;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>Writes and reads the messages of the side that serves a method with callbacks.</summary>
/// <param name="name">The method, for errors.</param>
/// <param name="shape">The callbacks of the method.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackMessageCodec(string name, CallbackShape shape) : MessageCodec<CallbackMessage>(name)
{
    private const string Schema = "callback message(1 id, 2 parameter, 3 method, 4 cancel, 5 body, 6 result)";
    private const int MaxNumbersSize = 20;

    /// <inheritdoc/>
    public override void Encode(ref MessageWriter writer, CallbackMessage message)
    {
        var numbers = writer.BeginFields(MaxNumbersSize);
        if (message.Id != 0) numbers.Varint(1 << 3, message.Id);
        if (message.Parameter != 0) numbers.Varint(2 << 3, message.Parameter);
        writer.EndFields(numbers);
        if (message.Method.Length > 0) writer.WriteString((3 << 3) | 2, message.Method);
        if (message.IsCancel) WriteTrue(ref writer, 4 << 3);
        if (!message.Body.IsEmpty) writer.WriteBytes((5 << 3) | 2, message.Body.Span);
        if (message.IsResult) WriteTrue(ref writer, 6 << 3);
    }

    /// <inheritdoc/>
    public override CallbackMessage Decode(ReadOnlySpan<byte> body)
    {
        var reader = new MessageReader(body, Schema);
        ulong id = 0;
        uint parameter = 0;
        var method = string.Empty;
        bool isCancel = false, isResult = false;
        byte[] content = [];
        uint tag;
        while ((tag = reader.ReadTag()) != 0)
        {
            switch (tag >> 3)
            {
                case 1: id = reader.ReadUInt64(tag); break;
                case 2: parameter = reader.ReadUInt32(tag); break;
                case 3: method = reader.ReadString(tag); break;
                case 4: isCancel = reader.ReadBoolean(tag); break;
                case 5: content = reader.ReadBytes(tag); break;
                case 6: isResult = reader.ReadBoolean(tag); break;
                default: reader.Skip(tag); break;
            }
        }

        return new CallbackMessage { Id = id, Parameter = parameter, Method = method, IsCancel = isCancel, IsResult = isResult, Body = content };
    }

    /// <inheritdoc/>
    public override void Prepare() => shape.Prepare();

    private static void WriteTrue(ref MessageWriter writer, uint tag)
    {
        var run = writer.BeginFields(2);
        run.Boolean(tag, true);
        writer.EndFields(run);
    }
}
