using System.ComponentModel;
using Mux.Contracts;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>Writes and reads the answers to callbacks.</summary>
/// <param name="name">The method, for errors.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackAnswerCodec(string name) : MessageCodec<CallbackAnswer>(name)
{
    private const string Schema = "callback answer(1 id, 2 status, 3 text, 4 body)";
    private const int MaxNumbersSize = 20;

    /// <inheritdoc/>
    public override void Encode(ref MessageWriter writer, CallbackAnswer message)
    {
        var run = writer.BeginFields(MaxNumbersSize);
        if (message.Id != 0) run.Varint(1 << 3, message.Id);
        if (message.Status != MuxStatus.Ok) run.Varint(2 << 3, (uint)message.Status);
        writer.EndFields(run);
        if (message.Text.Length > 0) writer.WriteString((3 << 3) | 2, message.Text);
        if (!message.Body.IsEmpty) writer.WriteBytes((4 << 3) | 2, message.Body.Span);
    }

    /// <inheritdoc/>
    public override CallbackAnswer Decode(ReadOnlySpan<byte> body)
    {
        var reader = new MessageReader(body, Schema);
        ulong id = 0;
        uint status = 0;
        var text = string.Empty;
        byte[] content = [];
        uint tag;
        while ((tag = reader.ReadTag()) != 0)
        {
            switch (tag >> 3)
            {
                case 1: id = reader.ReadUInt64(tag); break;
                case 2: status = reader.ReadUInt32(tag); break;
                case 3: text = reader.ReadString(tag); break;
                case 4: content = reader.ReadBytes(tag); break;
                default: reader.Skip(tag); break;
            }
        }

        // A status of a later version is a failure in any case.
        var known = status <= (uint)MuxStatus.Unauthenticated ? (MuxStatus)status : MuxStatus.Unknown;
        return new CallbackAnswer { Id = id, Status = known, Text = text, Body = content };
    }
}
