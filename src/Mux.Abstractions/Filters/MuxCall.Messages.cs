using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace Mux.Filters;

/// <content>The messages of the call, with their types.</content>
public abstract partial class MuxCall
{
    /// <summary>Gets the request as an object; a structure is boxed. For filters that know no types, such as validation.</summary>
    /// <value>The argument if the method has one; an object of generated code if it has several: see <see cref="TryGetArgument"/>.</value>
    public abstract object? Request { get; }

    /// <summary>Gets the request.</summary>
    /// <typeparam name="T">The message type that the contract declares, or a base class or interface of it. For a method with a request stream, the type of
    /// its other parameter.</typeparam>
    /// <returns>False if the request of the method has another type: <paramref name="request"/> is the default value.</returns>
    public bool TryGetRequest<T>([MaybeNullWhen(false)] out T request)
    {
        if (this is IRequestHolder<T> exact)
        {
            request = exact.Message;
            return true;
        }

        return Is(RequestReference, out request);
    }

    /// <summary>Replaces the request, before the filter runs what follows. The former one is not changed.</summary>
    /// <typeparam name="T">The message type that the contract declares, or a base class or interface of it.</typeparam>
    /// <exception cref="InvalidOperationException">The request of the method has another type; the message names both. Or what follows has come as far as the
    /// handler or the sending of the call.</exception>
    public void SetRequest<T>(T request)
    {
        if (this is IRequestHolder<T> exact) exact.Message = request;
        else if (!TrySetRequestReference(request)) throw WrongType("request", typeof(T), RequestType);
    }

    /// <summary>Gets the names of the arguments, as the contract declares its parameters: those that are sent with the request, without streams, callbacks,
    /// tokens and options.</summary>
    public abstract IReadOnlyList<string> ArgumentNames { get; }

    /// <summary>Gets an argument.</summary>
    /// <typeparam name="T">The type of the parameter, or a base class or interface of it.</typeparam>
    /// <param name="name">The name of the parameter, as the contract declares it.</param>
    /// <param name="value">The value.</param>
    /// <returns>False if the method has no such parameter, its type is another, or its value is null.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public abstract bool TryGetArgument<T>(string name, [NotNullWhen(true)] out T? value);

    /// <summary>Replaces an argument, before the filter runs what follows. At a client the caller's message of a single argument is not changed: another takes
    /// its place.</summary>
    /// <typeparam name="T">The type of the parameter, or a base class or interface of it.</typeparam>
    /// <param name="name">The name of the parameter, as the contract declares it.</param>
    /// <param name="value">The new value.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The method has no such parameter, or its type is another; the message names both. Or what follows has come
    /// as far as the handler or the sending of the call.</exception>
    public abstract void SetArgument<T>(string name, T value);

    /// <summary>Gets the reply, after the filter has run what follows.</summary>
    /// <typeparam name="T">The type that the contract declares, or a base class or interface of it. For a method that returns a <see cref="MuxResult{T}"/>
    /// also the type of its value.</typeparam>
    /// <returns>False if there is no reply yet, the call has failed, the reply has another type, or the method has a response stream.</returns>
    public bool TryGetResponse<T>([MaybeNullWhen(false)] out T response)
    {
        if (this is IResponseHolder<T> exact) return exact.TryGet(out response!);
        if (this is IResponseHolder<MuxResult<T>> result && result.TryGet(out var value)) return value.TryGetValue(out response);
        return Is(ResponseReference, out response);
    }

    /// <summary>Ends the call with a reply: instead of what follows, or in place of the outcome that it has.</summary>
    /// <typeparam name="T">The type that the contract declares, or a base class or interface of it; the type of its value for a method that returns a
    /// <see cref="MuxResult{T}"/>; <see cref="MuxUnit"/> for a method without a result.</typeparam>
    /// <exception cref="InvalidOperationException">The reply of the method has another type, or the method has a response stream; the message names
    /// both.</exception>
    public void SetResponse<T>(T response)
    {
        if (this is IResponseHolder<T> exact && exact.TrySet(response)) return;
        if (this is IResponseHolder<MuxResult<T>> result && result.TrySet(new MuxResult<T>(response))) return;
        if (!TrySetResponseReference(response)) throw WrongType("reply", typeof(T), ResponseType);
    }

    /// <summary>Ends the call with a response stream, instead of what follows.</summary>
    /// <typeparam name="T">The type of its items that the contract declares; <see cref="Contracts.ByteChunk"/> for bytes.</typeparam>
    /// <param name="items">The stream, which is enumerated when the filter has returned.</param>
    /// <exception cref="InvalidOperationException">The method has no response stream of such items; the call has an outcome; or the filter has run what
    /// follows.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="items"/> is null.</exception>
    public void SetResponseStream<T>(IAsyncEnumerable<T> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        if (this is not IResponseStreamHolder<T> holder || !holder.TrySetResponses(items)) throw WrongType("response stream", typeof(T), ResponseType);
    }

    /// <summary>Puts a function around the request stream, before the filter runs what follows: to look at its items, change them or leave some out. The
    /// function of the innermost filter is closest to the handler, and on a channel closest to the wire.</summary>
    /// <typeparam name="T">The type of the items that the contract declares; <see cref="Contracts.ByteChunk"/> for bytes.</typeparam>
    /// <param name="wrap">Gets the stream and returns the one that takes its place. Its exceptions, and those of the stream, fail the call.</param>
    /// <returns>False if the method has no request stream of such items.</returns>
    /// <exception cref="InvalidOperationException">The handler has started, or the call was sent.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="wrap"/> is null.</exception>
    public bool TryWrapRequestStream<T>(Func<IAsyncEnumerable<T>, IAsyncEnumerable<T>> wrap)
    {
        ArgumentNullException.ThrowIfNull(wrap);
        return this is IRequestStreamHolder<T> holder && holder.TryWrapRequests(wrap);
    }

    /// <summary>Puts a function around the response stream, before the filter runs what follows. The function of the innermost filter is closest to the
    /// handler, and on a channel closest to the wire.</summary>
    /// <inheritdoc cref="TryWrapRequestStream"/>
    /// <returns>False if the method has no response stream of such items.</returns>
    public bool TryWrapResponseStream<T>(Func<IAsyncEnumerable<T>, IAsyncEnumerable<T>> wrap)
    {
        ArgumentNullException.ThrowIfNull(wrap);
        return this is IResponseStreamHolder<T> holder && holder.TryWrapResponses(wrap);
    }

    /// <summary>For the runtime: the request, if it is an object; null for a structure.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract object? RequestReference { get; }

    /// <summary>For the runtime: the reply, if there is one and it is an object; null for a structure.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract object? ResponseReference { get; }

    /// <summary>For the runtime: the type of the request.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract Type RequestType { get; }

    /// <summary>For the runtime: the type of the reply, or of the items of the response stream.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract Type ResponseType { get; }

    /// <summary>For the runtime: replaces a request that is an object.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract bool TrySetRequestReference(object? request);

    /// <summary>For the runtime: sets a reply that is an object.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected abstract bool TrySetResponseReference(object? response);

    private static bool Is<T>(object? found, [MaybeNullWhen(false)] out T value)
    {
        if (found is T known)
        {
            value = known;
            return true;
        }

        value = default;
        return false;
    }

    private InvalidOperationException WrongType(string what, Type given, Type declared)
    {
        bool isStream = (Method.Shape & Contracts.MethodShape.ResponseStream) != 0;
        string own = what == "request" ? "request is" : isStream ? "response is a stream of" : "reply is";
        return new InvalidOperationException($"{Method.FullName} has no {what} of {given}: its {own} {declared}.");
    }
}
