using Mux.Contracts;
using Mux.Serialization;
using Mux.Sessions.Calls;

namespace Mux.Calls;

/// <summary>What is said of a message that came and could not be decoded.</summary>
internal static class UndecodableMessage
{
    /// <summary>Of a request, or an item of one.</summary>
    /// <param name="what">The message: "The request".</param>
    /// <param name="error">What its codec threw.</param>
    /// <param name="method">What it was for.</param>
    /// <param name="sent">The shape of the method's requests at their sender; 0 if it is not known.</param>
    public static string Request(string what, Exception error, MethodDescriptor method, uint sent) =>
        TextOf(what, error) + Compare("requests", sent, method.RequestFingerprint, method.Format);

    /// <summary>How a call ends whose reply it was.</summary>
    public static CallFailure Reply(OutgoingCall call, Exception error) => Failure(call, "The reply", error);

    /// <summary>How a call ends to whose reply it belonged, which is not complete: its handler ran, or runs.</summary>
    public static CallFailure ReplyItem(OutgoingCall call, Exception error) => Failure(call, "An item", error);

    private static CallFailure Failure(OutgoingCall call, string what, Exception error)
    {
        uint sent = call.Holder?.PeersReplyFingerprintOf(call.Method) ?? 0;
        return new(MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Decode,
            TextOf(what, error) + Compare("replies", sent, call.Method.ResponseFingerprint, call.Method.Format), error);
    }

    /// <summary>The codec's own words for what is wrong with the bytes. An error of any other kind says nothing of them.</summary>
    private static string TextOf(string what, Exception error) => error is InvalidMessageException ? error.Message : $"{what} could not be decoded.";

    /// <summary>Whether the two sides mean the same, if both say.</summary>
    private static string Compare(string messages, uint sent, uint here, string format)
    {
        if (sent == 0 || here == 0) return string.Empty;
        bool isCodecs = format == MethodDescriptor.DefaultFormat;
        if (sent != here)
        {
            return $" The two sides were built against different contracts: {messages} have the shape {sent:X8} at their sender and {here:X8} " +
                $"here{(isCodecs ? string.Empty : $", where they are {format}")}.";
        }

        return isCodecs
            ? $" Both sides have the same contract for it ({messages} of shape {here:X8}), so these are no bytes that it writes."
            : string.Empty; // of another serializer's messages the format is all that was compared
    }
}
