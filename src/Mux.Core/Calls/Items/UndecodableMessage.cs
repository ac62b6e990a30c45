using System.Diagnostics;
using Mux.Contracts;
using Mux.Engine;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>Creates the error texts for received messages that could not be decoded.</summary>
internal static class UndecodableMessage
{
    /// <summary>Describes a request, or an item of a request stream.</summary>
    /// <param name="what">The message: "The request".</param>
    /// <param name="error">The exception of its codec.</param>
    /// <param name="method">Its method.</param>
    /// <param name="sent">Fingerprint of the method's requests at their sender; 0 if it is not known.</param>
    /// <param name="thrown">What the peer is told of an exception for which <see cref="IsThrown"/> is true.</param>
    public static string Request(string what, Exception error, MethodDescriptor method, uint sent, string thrown) =>
        Describe(what, error, thrown, "requests", sent, method.RequestFingerprint, method.Format);

    /// <summary>
    /// True if the codec has not refused the bytes: something threw while it read them, such as a setter or a constructor of the message. That says nothing of
    /// the peer that wrote them.
    /// </summary>
    public static bool IsThrown(Exception error) => error is not InvalidMessageException && !OutOfMemory.Is(error);

    /// <summary>Names an exception with its message, for those who may know it.</summary>
    public static string NameOf(Exception error) => $"{error.GetType()}: {error.Message.TrimEnd('.')}";

    /// <summary>Gets the status of a call whose request, or an item of it, could not be decoded.</summary>
    public static MuxStatus StatusOfRequest(Exception error) => OutOfMemory.StatusOr(error, MuxStatus.InvalidArgument);

    /// <summary>Gets the failure of a call with an undecodable reply.</summary>
    public static CallFailure Reply(OutgoingCall call, Exception error) => Failure(call, "The reply", error);

    /// <summary>Gets the failure of a call with an undecodable item. The reply is not complete: its handler ran, or is running.</summary>
    public static CallFailure ReplyItem(OutgoingCall call, Exception error) => Failure(call, "An item", error);

    private static CallFailure Failure(OutgoingCall call, string what, Exception error)
    {
        uint sent = call.Holder?.PeersReplyFingerprintOf(call.Method) ?? 0;
        var status = OutOfMemory.StatusOr(error, MuxStatus.Internal);
        var text = Describe(what, error, NameOf(error), "replies", sent, call.Method.ResponseFingerprint, call.Method.Format);
        return new(status, MuxExecution.Executed, MuxCallPhase.Decode, text, error);
    }

    private static string Describe(string what, Exception error, string thrown, string messages, uint sent, uint here, string format)
    {
        if (OutOfMemory.Is(error)) return $"{what} could not be decoded: the process that received it is out of memory.";
        bool isThrown = IsThrown(error);
        var text = isThrown ? DescribeThrown(what, error, thrown) : error.Message;
        return text + Compare(messages, sent, here, format, isThrown);
    }

    /// <summary>
    /// Names the thrower: code of Mux, the framework where code of Mux called it, or else code of the message. A setter that
    /// was compiled into the generated codec of its message is not told from the codec: both are code of the user's assembly.
    /// </summary>
    private static string DescribeThrown(string what, Exception error, string thrown)
    {
        DiagnosticMethodInfo? called = null;
        foreach (var frame in new StackTrace(error, fNeedFileInfo: false).GetFrames())
        {
            if (DiagnosticMethodInfo.Create(frame) is not { DeclaringAssemblyName: { } assembly } method) break;
            if (IsOfFramework(assembly))
            {
                called = method;
                continue;
            }

            if (!IsOfMux(assembly)) break;

            // What the framework throws comes from a type of the message that it refuses, such as items without an order in
            // a SortedSet, unless it is what the runtime makes of a wrong index or cast.
            return called is null || IsOfRuntime(error, called)
                ? $"{what} could not be decoded: the reader of Mux failed with {thrown}, which is a defect of Mux."
                : $"{what} could not be decoded: {NameOf(called)} threw {thrown}. A type in the message may not support what it was called for.";
        }

        return $"{what} could not be decoded: code of its type, such as a setter or a constructor, threw {thrown}.";
    }

    private static bool IsOfRuntime(Exception error, DiagnosticMethodInfo called) =>
        error is NullReferenceException or IndexOutOfRangeException or InvalidCastException
        && (called.DeclaringTypeName ?? string.Empty) is var type
        && (type.StartsWith("System.Runtime.", StringComparison.Ordinal) || type.Contains("ThrowHelper", StringComparison.Ordinal));

    private static bool IsOfFramework(ReadOnlySpan<char> assembly) => assembly.StartsWith("System.", StringComparison.Ordinal);

    private static bool IsOfMux(ReadOnlySpan<char> assembly)
    {
        int end = assembly.IndexOf(',');
        return (end < 0 ? assembly : assembly[..end]) is "Mux.Abstractions" or "Mux.Core";
    }

    /// <summary>Gets TYPE.METHOD without what tells how many types a type is made of.</summary>
    private static string NameOf(DiagnosticMethodInfo method)
    {
        var type = method.DeclaringTypeName.AsSpan();
        int end = type.IndexOfAny('`', '[');
        return $"{(end < 0 ? type : type[..end])}.{method.Name}";
    }

    /// <summary>Compares the contracts of both sides, if both fingerprints are known.</summary>
    private static string Compare(string messages, uint sent, uint here, string format, bool isThrown)
    {
        if (sent == 0 || here == 0) return string.Empty;
        bool isCodecs = format == MethodDescriptor.DefaultFormat;
        if (sent != here)
        {
            return $" The two sides were built against different contracts: {messages} have the shape {sent:X8} at the sender and {here:X8} " +
                $"at the receiver{(isCodecs ? string.Empty : $", which uses the format {format}")}.";
        }

        return isCodecs && !isThrown
            ? $" Both sides have the same contract for it ({messages} of shape {here:X8}), so these bytes were not written by that contract's codec."
            : string.Empty; // of a value that a setter refuses this says nothing; with another serializer only the format was compared
    }
}
