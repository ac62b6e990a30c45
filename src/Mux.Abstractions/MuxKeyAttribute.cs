namespace Mux;

/// <summary>
/// Marks the affinity key of a call: an argument of a contract method, or a member of its request message. On a channel with several endpoints, calls with the
/// same key go to the same endpoint while the set of endpoints stays, from every client process. That endpoint can keep the data of the key in its caches. Has
/// no effect on a channel with one address, and none on a server. The key is not sent, except as the argument that it is.
/// </summary>
/// <remarks>
/// <para>Which key a call has, the first of these that applies:</para>
/// <list type="number">
/// <item>The <see cref="MuxCallOptions.Key"/> of its options. An empty text there means that the call has no key.</item>
/// <item>The parameter with this attribute. A method has at most one (MUX0062). If its type is a message, the key is the member of that message with the
/// attribute.</item>
/// <item>The member with this attribute in the message that the method takes. A message type has at most one, base classes included, and a method without a
/// marked parameter takes at most one such message (MUX0062).</item>
/// </list>
/// <para>A key is text, an integer of up to 64 bits, an enum, a <see cref="Guid"/>, or bytes (an array, a segment of one, <see cref="Memory{T}"/>,
/// <see cref="ReadOnlyMemory{T}"/>), or the nullable form of one of them. Other types are an error (MUX0061). A member may also be a message that has a member
/// with this attribute; every step is marked. A call whose key is null, or an empty text, or no bytes, has no key: its endpoint is chosen by load. Zero is a
/// key. A marked member need not be a field of the message: a property that combines two fields makes a key of both. It is read once per call, on the thread
/// that makes the call; if it throws, the call fails like one that cannot be encoded, and nothing is sent.</para>
/// <para>Endpoints are found by XXH64 with seed 0 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md) of the key's text in UTF-8: decimal digits
/// with <c>-</c> for negative integers, the number of an enum's value, a Guid as 36 characters in lower case. Bytes are hashed as they are. So the argument
/// <c>42</c> and <c>Key = "42"</c> are the same key, in every process, version and language. Nothing is allocated for it.</para>
/// <para>Streams: the key of a call with a request stream is one of its arguments, not of its items. In a message that is only a reply or an item, a marked
/// member has no effect. All attempts of a call, such as retries and hedges, have its key. See <see cref="MuxCallOptions.Key"/> for when calls go to another
/// endpoint than that of their key.</para>
/// </remarks>
/// <example>
/// <code>ValueTask&lt;Basket&gt; FindAsync([MuxKey] long customer, CancellationToken cancellationToken = default);</code>
/// </example>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MuxKeyAttribute : Attribute;
